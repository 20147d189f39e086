package io.gpureclaimer.reclaimer.api;

import io.gpureclaimer.reclaimer.json.Json;
import io.micronaut.serde.annotation.Serdeable;

/**
 * A refused request, as RFC 9457 has it.
 *
 * @param type always {@code about:blank}: the status says which problem it is
 * @param title phrase of the status
 * @param detail one or more sentences for people
 */
@Serdeable
public record ProblemDetails(String type, String title, int status, String detail) {
  /** Media type. */
  public static final String TYPE = "application/problem+json";

  /** A problem of a status. */
  public static ProblemDetails of(int status, String title, String detail) {
    return new ProblemDetails("about:blank", title, status, detail.strip());
  }

  /** Its JSON. */
  public String json() {
    return Json.indented(this);
  }
}
