package io.gpureclaimer.reclaimer.cluster;

/** How an attempt to annotate a pod ended. */
public sealed interface Annotated {

  /** It is written; this is the pod now. */
  record Written(PodView pod) implements Annotated {}

  /** The pod changed since it was looked at; nothing is written. */
  record Changed() implements Annotated {}

  /** The pod is gone or was replaced; nothing is written. */
  record Gone() implements Annotated {}

  /** The API server refuses; nothing is written. */
  record Refused(int code, String message) implements Annotated {}
}
