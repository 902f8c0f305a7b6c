import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';

/** The SHA-256 of a text, in hexadecimal. FIPS 180-4. */
export const sha256Of = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));
