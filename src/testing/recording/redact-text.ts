import { withoutSecretTexts } from '../../rx/secret-texts.js';

/** A text without what looks like a secret, or is named like one. What is written in Base64 is not looked into. */
export const redactText = (text: string): string => withoutSecretTexts(text, 'recording');
