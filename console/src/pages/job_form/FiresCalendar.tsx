import type { Day, Month } from "./days";

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Shows on which days of a month a schedule fires; letters tell what colours do. */
export function FiresCalendar({ month }: { month: Month }) {
  return (
    <table className="tg-fires">
      <caption>{month.title}</caption>
      <thead>
        <tr>
          {WEEKDAYS.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {month.weeks.map((week, index) => (
          <tr key={index}>
            {week.map((day, weekday) =>
              day === null ? <td key={weekday} /> : <DayCell key={day.date} day={day} />,
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DayCell({ day }: { day: Day }) {
  const kind = day.fires > 0 ? "fires" : day.leftOut > 0 ? "left-out" : "none";
  return (
    <td className={`tg-fires-${kind}`} title={wordsOf(day)}>
      <span aria-hidden="true">
        {Number(day.date.slice(8))}
        <small>
          {day.fires > 1 && `${day.fires}×`}
          {kind === "left-out" && "–"}
          {day.clock !== "" && ` ${day.clock}`}
        </small>
      </span>
      <span className="unseen">{wordsOf(day)}</span>
    </td>
  );
}

/** Says what happens on a day. */
export function wordsOf({ date, fires, leftOut, clock }: Day): string {
  const parts = [fires === 0 ? "no fire" : fires === 1 ? "1 fire" : `${fires} fires`];
  if (leftOut > 0) parts.push(`${leftOut} left out by calendars`);
  if (clock !== "") parts.push(`the clock is set by ${clock}`);
  return `${date}: ${parts.join(", ")}`;
}
