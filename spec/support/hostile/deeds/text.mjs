// What a line on stdout should not be. For stdio alone: an event stream has no lines of its own.

const greeting = { content: [{ type: 'text', text: 'grüß dich, 漢字 🦀' }] };
const call = (deed) => () => ({ call: deed });
const lineOf = ({ answer }) => Buffer.from(`${JSON.stringify(answer(greeting))}\n`);
const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

const pieces = async ({ raw }, line, size) => {
  for (let at = 0; at < line.length; at += size) {
    raw(line.subarray(at, at + size));
    await turnOfLoop();
  }
};

export const text = {
  'writes its line in halves': call((turn) => pieces(turn, lineOf(turn), 40)),
  'writes its line byte by byte, and so in half characters': call((turn) => pieces(turn, lineOf(turn), 1)),
  'writes two messages at once': call((turn) =>
    turn.raw(`{"jsonrpc":"2.0","method":"notifications/x"}\n${lineOf(turn).toString()}`),
  ),
  'begins with a byte order mark, and ends its lines in CRLF': () => ({
    start: ({ raw }) => raw('\ufeff'),
    call: (turn) => turn.raw(`${lineOf(turn).toString().trimEnd()}\r\n`),
  }),
  'writes 100 000 empty lines': call((turn) => turn.raw(`${'\n \r\n'.repeat(50_000)}${lineOf(turn).toString()}`)),
  'writes bytes that are no UTF-8': call((turn) => {
    turn.raw(Uint8Array.of(0xff, 0xfe, 0xc3, 0x28, 0x00, 0x80, 0x0a));
    turn.raw(lineOf(turn));
  }),
  'writes NUL between its members': call((turn) => turn.raw(lineOf(turn).toString().replace('{', '{\0'))),
  'writes its answer over many lines': call(({ raw, answer }) => raw(`${JSON.stringify(answer(greeting), null, 2)}\n`)),
  'writes a line of 100 MB': call(({ id, raw }) => {
    raw(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
    const piece = Buffer.alloc(1_000_000, 'x');
    for (let n = 0; n < 100; n += 1) raw(piece);
    raw('"}]}}\n');
  }),
  'writes a line of 100 MB that answers nothing': call((turn) => {
    const piece = Buffer.alloc(1_000_000, 'x');
    for (let n = 0; n < 100; n += 1) turn.raw(piece);
    turn.raw('\n');
    turn.raw(lineOf(turn));
  }),
  'writes a line that does not end': () => {
    let open = false;
    return {
      call: ({ id, raw }) => {
        open = true;
        raw(`{"jsonrpc":"2.0","id":${id},"result":{"text":"${'x'.repeat(200_000)}`);
      },
      before: ({ raw }) => {
        if (open) raw('\n');
        open = false;
      },
    };
  },
  'writes 20 000 banners': call((turn) => {
    turn.raw('Server listening ...\n'.repeat(20_000));
    turn.raw(lineOf(turn));
  }),
};
