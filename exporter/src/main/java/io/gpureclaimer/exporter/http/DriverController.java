package io.gpureclaimer.exporter.http;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Lets an administrator unload the driver without stopping the agent. Off by default. */
@Controller(value = "/driver", produces = MediaType.TEXT_PLAIN)
@Requires(property = "driver.release-endpoint", value = "true")
final class DriverController {
  private static final int LONGEST_SECONDS = 3_600;
  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

  /** Less than a connection may be quiet. */
  private static final int PATIENCE_SECONDS = 8;

  private final DriverRelease release;

  DriverController(DriverRelease release) {
    this.release = release;
  }

  /** Answers when the driver has been let go, or why it has not. */
  @Post("/release")
  CompletionStage<HttpResponse<String>> release(
      @QueryValue(value = "seconds", defaultValue = "300") String wanted) {
    int seconds = NUMBER.matcher(wanted).matches() ? Integer.parseInt(wanted) : 0;
    if (seconds < 1 || seconds > LONGEST_SECONDS) {
      return CompletableFuture.completedStage(
          HttpResponse.badRequest(
              "seconds must be from 1 to " + LONGEST_SECONDS + ", was " + wanted + "\n"));
    }
    return release
        .ask(Duration.ofSeconds(seconds))
        .toCompletableFuture()
        .completeOnTimeout(false, PATIENCE_SECONDS, TimeUnit.SECONDS)
        .thenApply(released -> released ? released(seconds) : notReleased(seconds));
  }

  /** The driver is used again from the next pass on. */
  @Post("/acquire")
  String acquire() {
    release.end();
    return "the driver is opened again\n";
  }

  private static HttpResponse<String> released(int seconds) {
    return HttpResponse.ok(
        "the driver is released; it is opened again in "
            + seconds
            + " s, or at POST /driver/acquire\n");
  }

  private static HttpResponse<String> notReleased(int seconds) {
    return HttpResponse.<String>status(HttpStatus.SERVICE_UNAVAILABLE)
        .body(
            "the driver is not released: a call is still inside it; new calls are held back for "
                + seconds
                + " s\n");
  }
}
