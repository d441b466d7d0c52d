/** Links to call, to send an SMS and to write an email, as far as their addresses are known. */
import { create, icon } from '../nodes.js'

const PHONE =
  'M6 3h3l2 5-2.5 1.5a11 11 0 0 0 6 6L16 13l5 2v3a3 3 0 0 1-3 3A15 15 0 0 1 3 6a3 3 0 0 1 3-3Z'
const BUBBLE = 'M4 5h16v11H9l-5 4Z'
const LETTER = 'M3 6h18v12H3ZM3 7l9 6 9-6'

/** `is_long` shows the addresses too. */
export const createWays = ({ say, config, email }, { is_long = false } = {}) => {
  const ways = [
    ['call', 'tel', config.phone, PHONE],
    ['sms', 'sms', config.sms, BUBBLE],
    ['mail', 'mailto', email, LETTER],
  ]
  return ways
    .filter(([, , address]) => address)
    .map(([word, scheme, address, data]) =>
      create(
        'a',
        { href: `${scheme}:${address}`, 'aria-label': `${say(word)}: ${address}`, title: address },
        icon(data),
        is_long ? `${say(word)} ${address}` : say(word),
      ),
    )
}
