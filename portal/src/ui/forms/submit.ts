/** A handler of a form that is sent by a request of the page. */
import type { SyntheticEvent } from 'react'

export function submit(send: () => void) {
  return (event: SyntheticEvent) => {
    event.preventDefault()
    send()
  }
}
