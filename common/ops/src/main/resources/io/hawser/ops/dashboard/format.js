// Numbers, times and names for people.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

export function bytes(value) {
  if (value < 0) return 'size unknown';
  let unit = 0;
  let rest = value;
  while (rest >= 1024 && unit < UNITS.length - 1) {
    rest /= 1024;
    unit++;
  }
  const digits = unit === 0 || rest >= 100 ? 0 : rest >= 10 ? 1 : 2;
  return `${rest.toFixed(digits)} ${UNITS[unit]}`;
}

export const rate = (bytesPerSecond) => `${bytes(bytesPerSecond)}/s`;

export const count = (value) => Number(value).toLocaleString('en');

export function plural(value, one, many = `${one}s`) {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function duration(millis) {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 2 * 86400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86400)} days`;
}

export const ago = (epochMillis, nowMillis) => `${duration(nowMillis - epochMillis)} ago`;

export function percent(part, whole) {
  if (whole <= 0) return 0;
  const value = Math.floor((100 * part) / whole);
  return Math.max(0, Math.min(100, value));
}

export function time(when) {
  const date = new Date(when);
  const clock = date.toLocaleTimeString('en-GB');
  return date.toDateString() === new Date().toDateString()
    ? clock
    : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock}`;
}

const two = (number) => String(number).padStart(2, '0');

/** The hop's name for people: where its bytes go. */
export function hopName(hop) {
  const [from, to] = hop.split('->');
  if (to === 'agent-a') return 'upload';
  if (from === 'publisher') return 'to broker';
  return `to ${to ?? hop}`;
}

/** Enough of a key to tell it from others: the beginning of the transfer id. */
export const shortKey = (key) => key.slice(key.lastIndexOf('-') + 1);

export const midnight = () => new Date().setHours(0, 0, 0, 0);
