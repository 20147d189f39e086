package io.gpureclaimer.deviceplugin.kubelet;

import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/** One-line text of a failed gRPC call. */
final class GrpcStatusText {
  private GrpcStatusText() {}

  static String of(Status status) {
    @Nullable Throwable cause = status.getCause();
    @Nullable String why = cause == null ? status.getDescription() : innermost(cause);
    return status.getCode() + (why == null ? "" : ": " + oneLine(why));
  }

  private static String innermost(Throwable thrown) {
    Throwable at = thrown;
    while (at.getCause() != null) {
      at = at.getCause();
    }
    return at.getMessage() == null ? at.toString() : at.getMessage();
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", "; ");
  }
}
