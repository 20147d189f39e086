package io.gpureclaimer.deviceplugin.publication.kubernetes;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpureclaimer.deviceplugin.publication.Published.Failed;
import io.gpureclaimer.deviceplugin.publication.Published.PublishFailure;
import java.util.Optional;

/** Classifies failures of the API server and their remedies. */
public final class ApiFailure {
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;

  private ApiFailure() {}

  public static Failed of(KubernetesClientException e, ApiObject place) {
    String said = said(e);
    if (e.getCode() <= 0) {
      return new Failed(PublishFailure.UNREACHABLE, "the API server does not answer: " + said);
    }
    return switch (e.getCode()) {
      case UNAUTHORIZED ->
          new Failed(PublishFailure.FORBIDDEN, "the API server does not know our account: " + said);
      case FORBIDDEN ->
          new Failed(
              PublishFailure.FORBIDDEN,
              "our account may not write "
                  + place.describe()
                  + "; it needs "
                  + place.rule()
                  + " ("
                  + said
                  + ")");
      case NOT_FOUND -> notFound(place, said);
      case CONFLICT -> new Failed(PublishFailure.CONFLICT, said);
      default ->
          new Failed(PublishFailure.REFUSED, "the API server answers " + e.getCode() + ": " + said);
    };
  }

  public static Failed noSuchNode(ApiObject place) {
    return new Failed(PublishFailure.NO_SUCH_NODE, place.describe() + " does not exist");
  }

  private static Failed notFound(ApiObject place, String said) {
    if (!place.mayBeCreated()) {
      return noSuchNode(place);
    }
    return said.contains("namespace")
        ? new Failed(PublishFailure.REFUSED, place.describe() + " cannot be made: " + said)
        : new Failed(
            PublishFailure.NO_SUCH_API,
            place.describe()
                + " cannot be made, since the cluster has no Node Feature Discovery: install it, or"
                + " write labels to the Node ("
                + said
                + ")");
  }

  private static String said(KubernetesClientException e) {
    return Optional.ofNullable(e.getStatus())
        .map(Status::getMessage)
        .or(
            () ->
                Optional.ofNullable(e.getCause()).map(cause -> String.valueOf(cause.getMessage())))
        .orElseGet(() -> String.valueOf(e.getMessage()));
  }
}
