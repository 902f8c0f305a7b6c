export interface EchoWire {
  say(text: string): void;
  die(): void;
}

export const createEchoPeer: (wire: EchoWire) => (message: object) => void;
