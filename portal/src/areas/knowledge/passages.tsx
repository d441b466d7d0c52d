/** The passages of a source, with a search. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { InfiniteList } from '../../api/infinite-list.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { passagesQuery, type SourceDetail } from './queries.ts'
import { useKnowledgeTexts } from './texts.ts'
import { PassageText } from './try-question.tsx'

const WORDS_MAX = 200
const TYPING_MS = 300

export function Passages({ source: { id, chunks, text } }: { source: SourceDetail }) {
  const t = useKnowledgeTexts()
  const [typed, setTyped] = useState('')
  const [words, setWords] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setWords(typed.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const query = useInfiniteQuery(passagesQuery(useProjectScope(), id, words))
  const none = (
    <p className="py-4 text-sm text-muted">{t(chunks === 0 ? 'no_passages' : 'no_match')}</p>
  )
  return (
    <>
      <Input
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        maxLength={WORDS_MAX}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <InfiniteList query={query} more={t('more_passages')} empty={none}>
        {(passages) => (
          <ol aria-label={t('passages_tab')} className="mt-2 divide-y divide-line">
            {passages.map((passage) => (
              <li key={passage.id} className="py-3">
                <PassageText passage={passage} />
              </li>
            ))}
          </ol>
        )}
      </InfiniteList>
      {text !== null && (
        <details className="mt-3">
          <summary className="cursor-pointer text-sm text-muted hover:text-fg">
            {t('full_text')}
          </summary>
          <p className="mt-2 text-sm wrap-anywhere whitespace-pre-line">{text}</p>
        </details>
      )}
    </>
  )
}
