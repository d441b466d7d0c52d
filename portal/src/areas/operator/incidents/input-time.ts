/** Formats a time as an input of the browser writes it, in the time zone of the browser. */
export function inputTime(time: string | Date): string {
  const date = new Date(time)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
