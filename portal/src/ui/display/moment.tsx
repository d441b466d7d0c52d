/** A point in time: how long ago, with the exact time on hover. */
import { useFormat } from '../../language/format.ts'

export function Moment({ at }: { at: string }) {
  const format = useFormat()
  return (
    <time dateTime={at} title={format.moment(at)} className="whitespace-nowrap">
      {format.ago(at)}
    </time>
  )
}
