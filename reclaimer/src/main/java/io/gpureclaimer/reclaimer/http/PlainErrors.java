package io.gpureclaimer.reclaimer.http;

import io.gpureclaimer.reclaimer.api.ProblemDetails;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.Error;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;

/** Errors are one line of plain text, and problem details below {@code /api}. */
@Singleton
final class PlainErrors implements ErrorResponseProcessor<String> {

  @Override
  public MutableHttpResponse<String> processResponse(
      ErrorContext context, MutableHttpResponse<?> response) {
    boolean head = context.getRequest().getMethod() == HttpMethod.HEAD;
    if (context.getRequest().getPath().startsWith("/api/")) {
      String problem =
          ProblemDetails.of(response.code(), response.reason(), detail(context, response)).json();
      return response.body(head ? "" : problem).contentType(ProblemDetails.TYPE);
    }
    String line = response.code() + " " + response.reason() + "\n";
    return response.body(head ? "" : line).contentType(MediaType.TEXT_PLAIN_TYPE);
  }

  private static String detail(ErrorContext context, MutableHttpResponse<?> response) {
    return context.getErrors().stream()
        .findFirst()
        .map(Error::getMessage)
        .filter(text -> response.code() < HttpStatus.INTERNAL_SERVER_ERROR.getCode())
        .orElse(response.reason());
  }
}
