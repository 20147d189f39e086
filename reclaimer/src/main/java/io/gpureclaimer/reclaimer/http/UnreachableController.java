package io.gpureclaimer.reclaimer.http;

import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Error;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows nothing while the API server does not respond: it is unknown what a reader may see. */
@Controller
final class UnreachableController {
  private static final String SENTENCE =
      "The API server does not respond, so it is unknown what you may see and do.";
  private static final Logger log = LoggerFactory.getLogger(UnreachableController.class);

  @Error(global = true)
  HttpResponse<byte[]> refuse(HttpRequest<?> request, ClusterUnreachable cause) {
    log.warn("request refused, path={}: the API server does not respond", request.getPath(), cause);
    return request.getPath().startsWith("/api/")
        ? ApiController.problem(HttpStatus.SERVICE_UNAVAILABLE, SENTENCE)
        : HttpResponse.<byte[]>status(HttpStatus.SERVICE_UNAVAILABLE)
            .body((SENTENCE + "\n").getBytes(StandardCharsets.UTF_8))
            .header("Content-Type", ReportController.TEXT);
  }
}
