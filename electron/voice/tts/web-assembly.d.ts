/** The part of WebAssembly that we use: Node has it, its types only name it. */
declare var WebAssembly: {
  compile(bytes: Uint8Array): Promise<WebAssembly.Module>;
  Instance: new (module: WebAssembly.Module, imports: object) => WebAssembly.Instance;
};
