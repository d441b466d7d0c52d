/** Why the server refused a filter, shown at the term that it refused. */
import { CircleAlert } from 'lucide-react'
import type { ApiProblem } from '../../../api/client.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { useFilterTexts } from './texts.ts'

export interface FilterFaultProps {
  text: string
  problem: ApiProblem
  id: string
  onCorrect(text: string): void
}

interface Term {
  from: number
  to: number
}

/** The term at the column of the problem, or that names its field. null: it names no place. */
function termOf(text: string, { body }: ApiProblem): Term | null {
  const { column, field } = body
  const from =
    typeof column === 'number'
      ? [...text].slice(0, column - 1).join('').length
      : typeof field === 'string'
        ? text.indexOf(field)
        : -1
  if (from < 0) return null
  const [found = ''] =
    /^(?:"(?:[^"\\]|\\.)*"?|[=<>!]+|[^\s"=<>!(),]+|.)/u.exec(text.slice(from)) ?? []
  return { from, to: from + found.length }
}

export function FilterFault({ text, problem, id, onCorrect }: FilterFaultProps) {
  const t = useFilterTexts()
  const term = termOf(text, problem)
  const { suggestion } = problem.body
  return (
    <div id={id} role="alert" className="mt-2 flex gap-3 rounded-lg bg-bad-soft px-4 py-3">
      <CircleAlert className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        {term !== null && (
          <p className="mb-1 font-mono text-sm">
            {text.slice(0, term.from)}
            <mark className="rounded-sm bg-transparent font-semibold text-bad underline decoration-wavy underline-offset-4">
              {text.slice(term.from, term.to) || '␣'}
            </mark>
            {text.slice(term.to)}
          </p>
        )}
        <p className="text-sm">{problem.user_message}</p>
      </div>
      {typeof suggestion === 'string' && term !== null && (
        <Button
          size="sm"
          onClick={() => onCorrect(text.slice(0, term.from) + suggestion + text.slice(term.to))}
        >
          {t('use', { suggestion })}
        </Button>
      )}
    </div>
  )
}
