/** The logo of the product. */
export function Logo({ className = 'size-7' }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" className={className} aria-hidden="true">
      <rect width="24" height="24" rx="6.5" fill="#0b5d66" />
      <g fill="none" stroke="#fff" strokeWidth="1.7" strokeLinecap="round" strokeLinejoin="round">
        <circle cx="12" cy="6.4" r="1.7" />
        <path d="M12 8.1v10.4M9.2 10.8h5.6M6.2 12.6c0 3.4 2.5 5.9 5.8 5.9s5.8-2.5 5.8-5.9" />
      </g>
    </svg>
  )
}
