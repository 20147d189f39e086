package io.gpureclaimer.exporter.http.status;

import io.gpureclaimer.common.json.JsonWriter;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * State of a dependency of the agent.
 *
 * @param name of the component
 * @param status {@code ok}, {@code problem}, or {@code info} for neither
 * @param state in one or two words
 * @param message details in one line; empty for none
 * @param since start of this state; null if not known
 */
record Component(
    String name, String status, String state, String message, @Nullable Instant since) {

  static Component ok(String name, String state, String message) {
    return new Component(name, "ok", state, message, null);
  }

  static Component problem(String name, String state, String message) {
    return new Component(name, "problem", state, message, null);
  }

  static Component info(String name, String state, String message) {
    return new Component(name, "info", state, message, null);
  }

  Component since(@Nullable Instant start) {
    return new Component(name, status, state, message, start);
  }

  void write(JsonWriter json) {
    json.beginObject()
        .member("name", name)
        .member("status", status)
        .member("state", state)
        .optionalMember("message", message.isEmpty() ? null : message)
        .optionalMember("since", since)
        .endObject();
  }
}
