import { Scroll } from "../shared/Scroll";
import { type CalendarEntries, type DayOfMonth, monthOf } from "./month";
import "../shared/tokens.css";
import "./month.css";

const HEADS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

const COVERAGE: Record<DayOfMonth["coverage"], string> = {
  whole: "covered",
  part: "covered in part",
  none: "",
};

interface Props {
  calendar: CalendarEntries;
  month: string;
  today: string;
  title: string;
}

/** Shows which days of a month a calendar covers, and which are business days. */
export function Month({ calendar, month, today, title }: Props) {
  return (
    <Scroll className="tg-month-frame" label={title}>
      <table className="tg-month">
        <caption className="tg-visually-hidden">{title}</caption>
        <thead>
          <tr>
            {HEADS.map((head) => (
              <th scope="col" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {monthOf(calendar, month).map((week) => (
            <tr key={week[0]?.date}>
              {week.map((day) => (
                <Day day={day} isToday={day.date === today} key={day.date} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Day({ day, isToday }: { day: DayOfMonth; isToday: boolean }) {
  const names = [
    "tg-day",
    `tg-day-${day.coverage}`,
    day.inMonth ? "" : "tg-day-outside",
    isToday ? "tg-day-today" : "",
  ];
  return (
    <td
      className={names.filter((name) => name !== "").join(" ")}
      aria-current={isToday ? "date" : undefined}
    >
      <span className="tg-day-number">{day.day}</span>
      {day.coverage !== "none" && <span className="tg-day-word">{COVERAGE[day.coverage]}</span>}
      {day.entries.map((entry) => (
        <span className="tg-day-entry" key={entry}>
          {entry}
        </span>
      ))}
      {!day.isBusinessDay && <span className="tg-day-entry">no business day</span>}
    </td>
  );
}
