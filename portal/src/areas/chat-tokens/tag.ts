/**
 * The script tag of the widget, and the directives of a content security policy, to paste into a
 * page.
 */

export function writeTag(token: string): string {
  return `<script src="${location.origin}/widget.js" data-chat-token="${token}" defer></script>`
}

export function writePolicy(): string {
  return [`script-src ${location.origin};`, `connect-src ${location.origin};`].join('\n')
}
