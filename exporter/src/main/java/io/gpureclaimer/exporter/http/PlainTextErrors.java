package io.gpureclaimer.exporter.http;

import io.micronaut.http.HttpMethod;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;

/** Answers errors with one line of plain text. */
@Singleton
final class PlainTextErrors implements ErrorResponseProcessor<String> {

  @Override
  public MutableHttpResponse<String> processResponse(
      ErrorContext context, MutableHttpResponse<?> response) {
    boolean head = context.getRequest().getMethod() == HttpMethod.HEAD;
    String line = response.code() + " " + response.reason() + "\n";
    return response.body(head ? "" : line).contentType(MediaType.TEXT_PLAIN_TYPE);
  }
}
