import { z } from "zod";

const metadata = z.object({
  issuer: z.string(),
  authorization_response_iss_parameter_supported: z.literal(true),
});

/** Which authorization servers say that their answers name them (RFC 9207). The SDK keeps that of some kinds of metadata only. */
export class NamedAnswers {
  readonly #issuers = new Set<string>();

  /** Reads what a server says of itself, and leaves the answer as it is. */
  async observe(address: URL, response: Response): Promise<void> {
    const isMetadata = /\/\.well-known\/(oauth-authorization-server|openid-configuration)/;
    if (!response.ok || !isMetadata.test(address.pathname)) return;
    const read = metadata.safeParse(
      await response
        .clone()
        .json()
        .catch(() => null),
    );
    if (read.success) this.#issuers.add(read.data.issuer);
  }

  has(issuer: string | undefined): boolean {
    return issuer !== undefined && this.#issuers.has(issuer);
  }
}
