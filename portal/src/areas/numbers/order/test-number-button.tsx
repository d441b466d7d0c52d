/** Orders a test number with one click, and opens its page. */
import { useNavigate } from '@tanstack/react-router'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Button, type ButtonKind } from '../../../ui/actions/button.tsx'
import { numbersKey, orderNumber } from '../queries.ts'
import { useNumberTexts } from '../texts.ts'

export interface TestNumberButtonProps {
  label: string
  kind?: ButtonKind
  disabled?: boolean
}

export function TestNumberButton({ label, kind, disabled = false }: TestNumberButtonProps) {
  const t = useNumberTexts()
  const scope = useProjectScope()
  const navigate = useNavigate()
  const act = useAct({
    run: () =>
      orderNumber(
        { project_id: scope.project_id, mode: 'test' },
        { idempotency_key: crypto.randomUUID() },
      ),
    done: t('ordered_test'),
    refresh: [numbersKey(scope)],
    onDone: ({ id }) =>
      void navigate({ to: scope.link(`/numbers/${id}`), search: { mode: 'test' } }),
  })
  return (
    <Button
      {...(kind && { kind })}
      busy={act.isPending}
      disabled={disabled}
      onClick={() => act.mutate(undefined)}
    >
      {label}
    </Button>
  )
}
