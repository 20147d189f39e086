package io.gpureclaimer.reclaimer.http;

import io.gpureclaimer.reclaimer.api.ProblemDetails;
import io.gpureclaimer.reclaimer.cluster.UserRequests;
import io.gpureclaimer.reclaimer.cluster.UserRequests.UserReply;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Restoration of an owner for a person, with the token of that person. It adds no right of its own:
 * the API server authenticates and authorizes. A browser sends neither the header {@code
 * Authorization} nor JSON to another site by itself, so no page can ask for it behind a person's
 * back.
 */
@Controller("/api/v1/reclamations")
@Requires(beans = UserRequests.class)
final class RestoreController {
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");
  private static final Pattern BEARER = Pattern.compile("Bearer [!-~]+");
  private static final Set<Integer> PASSED_ON = Set.of(400, 401, 403, 404, 409, 422, 429);

  private final UserRequests requests;

  RestoreController(UserRequests requests) {
    this.requests = requests;
  }

  /** 202 if the reclaimer will restore it; otherwise the API server's refusal. */
  @Post("/{namespace}/{name}/restore")
  @Consumes(MediaType.APPLICATION_JSON)
  @Produces({MediaType.APPLICATION_JSON, ProblemDetails.TYPE})
  @ExecuteOn(TaskExecutors.BLOCKING)
  HttpResponse<byte[]> restore(
      String namespace, String name, @Header("Authorization") @Nullable String authorization) {
    if (authorization == null || !BEARER.matcher(authorization).matches()) {
      return ApiController.problem(
              HttpStatus.UNAUTHORIZED,
              "Expected a bearer token of the API server in the header Authorization.")
          .header("WWW-Authenticate", "Bearer");
    }
    if (!NAME.matcher(namespace).matches() || !NAME.matcher(name).matches()) {
      return ApiController.problem(
          HttpStatus.BAD_REQUEST, "Expected the namespace and the name of a Reclamation.");
    }
    UserReply reply = requests.requestRestore(namespace, name, authorization);
    if (reply.message().isEmpty()) {
      return ApiController.accepted(
          HttpStatus.ACCEPTED, "Requested. The reclaimer restores it in its next cycle.");
    }
    HttpStatus status =
        PASSED_ON.contains(reply.code())
            ? HttpStatus.valueOf(reply.code())
            : HttpStatus.BAD_GATEWAY;
    return ApiController.problem(status, reply.message());
  }
}
