/** What is wrong with a part of a form that is not one field; if anything is. */
export function Fault({ text }: { text: string | null | undefined }) {
  if (text === undefined || text === null) return null
  return (
    <p role="alert" className="text-sm text-bad">
      {text}
    </p>
  )
}
