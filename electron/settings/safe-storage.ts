import { safeStorage } from "electron";
import type { Cipher } from "./secrets.ts";

/**
 * The system's key store: Keychain, DPAPI, or a keyring on Linux. Without a keyring Chromium has a key of its own that
 * everybody knows (`basic_text`): it is used only for what the user accepted to be weak. Once the app is ready.
 */
export function systemCipher(): Cipher {
  const isLinux = process.platform === "linux";
  const backend = isLinux
    ? safeStorage.getSelectedStorageBackend()
    : (systemNames[process.platform] ?? "none");
  const isBasic = isLinux && (backend === "basic_text" || backend === "unknown");
  const allowBasic = () => {
    if (isBasic) safeStorage.setUsePlainTextEncryption(true);
  };
  return {
    backend,
    canBeWeak: isBasic,
    isGuarded: () => !isBasic && safeStorage.isEncryptionAvailable(),
    encrypt: (text) => {
      allowBasic();
      return safeStorage.encryptString(text);
    },
    decrypt: (bytes) => {
      allowBasic();
      return safeStorage.decryptString(Buffer.from(bytes));
    },
  };
}

const systemNames: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: "Keychain",
  win32: "DPAPI",
};
