import { describe, expect, it } from '@jest/globals';
import { sha256Of } from '../../src/client/sha256.js';

describe('the SHA-256 of a text', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ['ä', '33e6d73fee82904c8d7afb78de1154d1e8dc2a0edb08120e63df5b9385c2d9cc'],
  ])('is what the standard says of its UTF-8: %j', (text, hash) => {
    expect(sha256Of(text)).toBe(hash);
  });
});
