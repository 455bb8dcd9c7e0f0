import createClient from "openapi-fetch";
import { expect, it } from "vitest";

import { unchangedAnswers } from "../../src/api/client";
import type { paths } from "../../src/api/schema";

it("shows the kept answer when the API says that nothing has changed", async () => {
  const asked: (string | null)[] = [];
  const client = createClient<paths>({
    baseUrl: "https://api.example.com",
    fetch: (request) => {
      const known = request.headers.get("If-None-Match");
      asked.push(known);
      if (known === 'W/"1"') return Promise.resolve(new Response(null, { status: 304 }));
      return Promise.resolve(Response.json({ items: [1] }, { headers: { ETag: 'W/"1"' } }));
    },
  });
  client.use(unchangedAnswers());
  const first = await client.GET("/v1/freezes");
  const second = await client.GET("/v1/freezes");

  expect(asked).toEqual([null, 'W/"1"']);
  expect(second.data).toEqual(first.data);
});
