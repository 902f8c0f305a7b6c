import { deflateSync, crc32 } from 'node:zlib';

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
};

/** A sunset over the sea, as a PNG in base64. */
export const sunset = (width = 240, height = 150): string => {
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + width * 3);
    for (let x = 0; x < width; x += 1) {
      const isSea = y > height * 0.62;
      const down = y / height;
      const fromSun = Math.hypot(x - width * 0.62, (y - height * 0.5) * (isSea ? 0.35 : 1));
      const glow = Math.max(0, 1 - fromSun / (isSea ? 70 : 95)) ** 2;
      const wave = isSea ? 14 * Math.sin(y * 1.7 + Math.sin(x / 9)) : 0;
      const sky = [70 + 160 * down, 60 + 70 * down, 120 - 20 * down];
      const [red = 0, green = 0, blue = 0] = isSea ? [28 + wave, 48 + wave, 92 + wave] : sky;
      const disc = !isSea && fromSun < 16 ? 120 : 0;
      const colours = [red + 170 * glow + disc, green + 110 * glow + disc, blue + 30 * glow + disc / 2];
      colours.forEach((colour, at) => row.writeUInt8(Math.min(255, Math.max(0, Math.round(colour))), 1 + x * 3 + at));
    }
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8); // eight bits each of red, green and blue
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pixels = deflateSync(Buffer.concat(rows));
  const parts = [signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat(parts).toString('base64');
};

/** An icon, as a `data:` URI. */
export const icon = (glyph: string, colour: string): string => {
  const words = `<text x="16" y="23" font-size="20" text-anchor="middle" font-family="sans-serif" fill="#fff">${glyph}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${colour}"/>${words}</svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
};
