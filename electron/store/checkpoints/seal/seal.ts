import {
  type CipherGCM,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  type DecipherGCM,
  hkdfSync,
  randomBytes,
} from "node:crypto";
import { hasKeyForm } from "../../../../shared/safety/redact.ts";
import { isSecretPath } from "../../../../shared/safety/secret-files.ts";

/** Bytes of a key. */
export const keyBytes = 32;
const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;
const prefix = "sealed:";

interface Key {
  /** Tells which key sealed something; says nothing of the key itself. */
  id: string;
  encryption: Uint8Array;
  naming: Uint8Array;
}

/** A cipher and what has to stand before what it makes; its tag is asked for at the end. */
export interface Sealing {
  nonce: Uint8Array;
  cipher: CipherGCM;
}

/**
 * Seals contents that hold secrets: AES-256-GCM, and a name by HMAC, so that neither the bytes nor a guess at them can
 * be told from what is kept. A sealed name is `sealed:KEY:HMAC`, of the SHA-256 of the content.
 */
export class Seal {
  readonly #keys: readonly Key[];

  /** @param keys of `keyBytes` bytes each: the first one seals, all open; without any, nothing can be sealed */
  constructor(keys: readonly Uint8Array[]) {
    this.#keys = keys.map(parts);
  }

  /** Whether the content of a path is to be sealed: by its name, or by the form of a key in it. */
  isSecret(path: string, bytes: Uint8Array): boolean {
    return (
      isSecretPath(path) ||
      hasKeyForm(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1"))
    );
  }

  /** @param hash SHA-256 of a content, in hex @throws Error without a key */
  nameOf(hash: string): string {
    const { id, naming } = this.#first();
    return `${prefix}${id}:${createHmac("sha256", naming).update(hash).digest("hex")}`;
  }

  /** Whether the key that sealed it is there. */
  opens(name: string): boolean {
    return this.#keyOf(name) !== undefined;
  }

  close(name: string, bytes: Uint8Array): Buffer {
    const { nonce, cipher } = this.closing(name);
    const sealed = [cipher.update(bytes), cipher.final()];
    return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]);
  }

  /** @returns undefined without its key @throws Error for bytes that are not what was sealed under this name */
  open(name: string, sealed: Uint8Array): Buffer | undefined {
    const decipher = this.opening(name, sealed.subarray(0, sealHeadBytes));
    return decipher && Buffer.concat([decipher.update(sealed.subarray(sealHeadBytes)), decipher.final()]);
  }

  /** For what is too large for the memory. What it makes stands behind nonce and tag. */
  closing(name: string): Sealing {
    const key = this.#keyOf(name) ?? this.#first();
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, key.encryption, nonce);
    cipher.setAAD(Buffer.from(name));
    return { nonce, cipher };
  }

  /** @param head the first `sealHeadBytes` @returns undefined without its key; `final` throws for what is not as it was sealed */
  opening(name: string, head: Uint8Array): DecipherGCM | undefined {
    const key = this.#keyOf(name);
    if (!key) return undefined;
    const decipher = createDecipheriv(algorithm, key.encryption, head.subarray(0, nonceBytes));
    decipher.setAAD(Buffer.from(name));
    decipher.setAuthTag(head.subarray(nonceBytes, sealHeadBytes));
    return decipher;
  }

  #keyOf(name: string): Key | undefined {
    const [, id] = name.split(":");
    return isSealedName(name) ? this.#keys.find((key) => key.id === id) : undefined;
  }

  #first(): Key {
    const [first] = this.#keys;
    if (!first) throw new Error("There is no key to seal secrets with.");
    return first;
  }
}

/** Nonce and tag. */
export const sealHeadBytes = nonceBytes + tagBytes;

export const isSealedName = (name: string): boolean => name.startsWith(prefix);

function parts(key: Uint8Array): Key {
  const derived = (use: string) =>
    new Uint8Array(hkdfSync("sha256", key, "", `parley checkpoints ${use}`, keyBytes));
  const id = createHash("sha256").update(derived("id")).digest("hex").slice(0, 8);
  return { id, encryption: derived("encryption"), naming: derived("names") };
}
