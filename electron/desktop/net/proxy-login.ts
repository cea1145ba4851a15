const variables = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"];

export interface ProxyLogin {
  name: string;
  password: string;
}

/**
 * The name and password that the environment has for a proxy, as `http://name:password@host:port`. Chromium leaves them
 * out. null: it has none for this one; another proxy's are nobody else's.
 */
export function proxyLogin(
  env: Readonly<Record<string, string | undefined>>,
  host: string,
  port: number,
): ProxyLogin | null {
  for (const variable of variables) {
    const address = addressIn(env[variable]?.trim() ?? "");
    if (!address || address.username === "") continue;
    if (address.hostname === host.toLowerCase() && portOf(address) === port) {
      return { name: decoded(address.username), password: decoded(address.password) };
    }
  }
  return null;
}

/** The proxy that the environment names for pages, as an address, with the name and password that it may hold; null: none. */
export function namedProxy(env: Readonly<Record<string, string | undefined>>): string | null {
  const whole = withScheme((env.https_proxy ?? env.HTTPS_PROXY ?? "").trim());
  return URL.canParse(whole) ? whole : null;
}

/** Many write it without a scheme. */
const withScheme = (value: string) => (value.includes("://") ? value : `http://${value}`);

function addressIn(value: string): URL | null {
  const whole = withScheme(value);
  return URL.canParse(whole) ? new URL(whole) : null;
}

const ports: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

const portOf = ({ port, protocol }: URL) => (port === "" ? ports[protocol] : Number(port));

/** A sign that was not written as %XX stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
