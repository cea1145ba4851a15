"use strict";
// Loaded with `node -r` before any other script is read, and written in the syntax of 2009, so that even a Node
// too old to parse the rest answers with one line instead of a syntax error.
var parts = process.versions.node.split(".");
var major = Number(parts[0]);
var minor = Number(parts[1]);
var known = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
if (!known) {
  console.error(
    "Parley needs Node 20.19 or newer in the 20 line, or Node 22.12 or newer. This is Node " +
      process.versions.node +
      ".",
  );
  process.exit(1);
}
