/** A value that is still changing, once it has not changed for some time. */
import { useEffect, useState } from 'react'

export function useSettled<Value>(value: Value, after_ms: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), after_ms)
    return () => clearTimeout(timer)
  }, [value, after_ms])
  return settled
}
