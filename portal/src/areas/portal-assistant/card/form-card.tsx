/** The form of an operation with the values of the sentence, or the way to its page. */
import { useState } from 'react'
import type { ApiProblem } from '../../../api/client.ts'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { submitForm, type Form, type Proposal } from '../queries.ts'
import { useAssistantTexts } from '../texts.ts'
import { Card, PageLink } from './card-parts.tsx'
import { SchemaForm } from './schema-form.tsx'

export interface FormCardProps {
  form: Form
  conversation_id: string
  onProposed(proposal: Proposal): void
  onNavigate(): void
}

export function FormCard({ form, conversation_id, onProposed, onNavigate }: FormCardProps) {
  const t = useAssistantTexts()
  const scope = useProjectScope()
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const { operation, title, about, effect, shape, values, page } = form
  const act = useAct({
    run: (given: Record<string, unknown>) =>
      submitForm(scope, { conversation_id, operation, arguments: given }),
    onDone: onProposed,
    onFault(refused) {
      setProblem(refused)
      return true
    },
  })
  return (
    <Card title={title} about={about} effect={effect}>
      <SchemaForm
        shape={{ ...shape }}
        values={{ ...values }}
        action={t(effect === 'read' ? 'read' : 'continue')}
        busy={act.isPending}
        problem={problem}
        onSubmit={(given) => {
          setProblem(null)
          act.mutate(given)
        }}
      />
      {page !== null && <PageLink page={page} onNavigate={onNavigate} />}
    </Card>
  )
}
