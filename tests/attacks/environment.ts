import { type AttackClass, leaks } from "./attack.ts";

const variables = [
  "DATABASE_URL",
  "PGPASSWORD",
  "MYSQL_PWD",
  "DB_PASS",
  "STRIPE_KEY",
  "STRIPE_APIKEY",
  "GH_PAT",
  "API_KEYS",
  "MY_SECRETS",
  "OPENAI_KEY",
  "SMTP_PASS",
  "DOCKER_AUTH_CONFIG",
  "AWS_ACCESS_KEY_ID",
  "ALL_PROXY_WITH_PASSWORD",
] as const;

/** What the app is started with: all of it secret. */
export const secretVariables: Readonly<Record<string, string>> = Object.fromEntries(
  variables.map((name) => [
    name,
    name.includes("URL") || name.includes("PROXY") ? "http://me:{canary}@127.0.0.1:1/x" : "{canary}",
  ]),
);

export const environment: AttackClass = {
  name: "Secrets in the environment",
  attacks: [
    ...variables.map((name) =>
      leaks(`variable-${name.toLowerCase().replaceAll("_", "-")}`, name, `printenv ${name}`),
    ),
    leaks("variables-env", "env", "env"),
    leaks("variables-self", "/proc/self/environ", "cat /proc/self/environ | tr '\\0' ' '"),
    leaks("variables-parent", "/proc/$PPID/environ", "cat /proc/$PPID/environ | tr '\\0' ' '"),
    leaks("variables-node", "process.env", 'node -e "console.log(process.env)"'),
    leaks("variables-shell", "declare -p", "declare -p; set; export -p"),
  ],
};
