import { expect, it } from '@jest/globals';
import { isLegacyVersion, LEGACY_VERSIONS, MODERN_VERSIONS } from '../../src/protocol/index.js';
import { LATEST_LEGACY_VERSION } from '../../src/protocol/versions.js';

it('there is one modern revision, and four legacy ones, best first', () => {
  expect(MODERN_VERSIONS).toEqual(['2026-07-28']);
  expect(LEGACY_VERSIONS).toEqual(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']);
});

it('initialize offers the latest legacy revision', () => {
  expect(LATEST_LEGACY_VERSION).toBe('2025-11-25');
});

it.each([
  ['2024-11-05', true],
  ['2025-03-26', true],
  ['2025-06-18', true],
  ['2025-11-25', true],
  ['2026-07-28', false],
  ['2024-10-07', false],
  ['', false],
  ['length', false],
])('%j is a legacy revision that is spoken here: %p', (version, legacy) => {
  expect(isLegacyVersion(version)).toBe(legacy);
});
