import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readBase64 } from '../../../src/bridge/render/base64.js';

describe('readBase64', () => {
  it('reads whatever bytes were written, padded or not, and knows how many', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), (bytes, padded) => {
        const data = Buffer.from(bytes).toString('base64');
        const sent = padded ? data : data.replace(/=+$/, '');
        expect(readBase64(sent)).toEqual({ data, bytes: bytes.length });
      }),
    );
  });

  it('leaves out the line breaks that some writers put in', () => {
    expect(readBase64('QUJD\r\nREVG\n')).toEqual({ data: 'QUJDREVG', bytes: 6 });
  });

  it.each([undefined, null, 7, {}, 'A', 'QUJDR', 'QUJ-', 'QU=D', 'QQ=', 'QUJD====', 'data:image/png;base64,QUJD', 'é'])(
    'takes %j for none',
    (value) => {
      expect(readBase64(value)).toBeUndefined();
    },
  );
});
