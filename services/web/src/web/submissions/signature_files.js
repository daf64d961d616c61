// Reads the signature and the public key for an archive: both or neither, small, and never a private key.
import { message } from "../kit/js/messages.js";

const LARGEST = { signature: 50_000, public_key: 5_000 };
const PRIVATE = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const PUBLIC = /-----BEGIN PUBLIC KEY-----/;

// A problem with a chosen file; `field` names the field of the form at fault.
export class SignatureRefused extends Error {
  constructor(name, field) {
    super(message(name));
    Object.assign(this, { field, slug: "" });
  }
}

async function textOf(file, field) {
  if (file.size > LARGEST[field]) throw new SignatureRefused(`archive-${field === "signature" ? "signature" : "key"}-large`, field);
  try {
    return await file.text();
  } catch {
    throw new SignatureRefused("archive-unreadable", field);
  }
}

// Returns the fields to send; empty if no file was chosen.
export async function signatureOf({ signature, public_key: key }) {
  const [signed, by] = [signature.files[0], key.files[0]];
  if (!signed && !by) return {};
  if (!signed) throw new SignatureRefused("archive-signature-missing", "signature");
  if (!by) throw new SignatureRefused("archive-key-missing", "public_key");
  const [bundle, pem] = [await textOf(signed, "signature"), await textOf(by, "public_key")];
  if (PRIVATE.test(bundle)) throw new SignatureRefused("archive-key-private", "signature");
  if (PRIVATE.test(pem)) throw new SignatureRefused("archive-key-private", "public_key");
  if (!PUBLIC.test(pem)) throw new SignatureRefused("archive-key-other", "public_key");
  if (!bundle.trimStart().startsWith("{")) throw new SignatureRefused("archive-signature-other", "signature");
  return { signature: bundle, public_key: pem };
}
