package io.gpureclaimer.reclaimer.simulate;

import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec.OwnerType;
import java.util.Arrays;
import java.util.Optional;

/** What a workload of a trace is for, which decides its owner and how its activity passes. */
public enum WorkloadKind {
  /** A person works in it by the clock on the wall, and waits for its GPU. */
  NOTEBOOK("notebook", OwnerType.NOTEBOOK, Optional.of("\"stopped\""), Optional.empty()),
  /** It serves requests by the clock on the wall; requests while it is stopped are lost. */
  SERVICE("service", OwnerType.DEPLOYMENT, Optional.of("0"), Optional.of("1")),
  /** It computes until it is done; its time passes only while it runs. */
  TRAINING("training", OwnerType.JOB, Optional.of("true"), Optional.of("false"));

  private final String code;
  private final OwnerType owner;
  private final Optional<String> stopped;
  private final Optional<String> running;

  WorkloadKind(String code, OwnerType owner, Optional<String> stopped, Optional<String> running) {
    this.code = code;
    this.owner = owner;
    this.stopped = stopped;
    this.running = running;
  }

  /** The stable name, in traces and JSON. */
  public String code() {
    return code;
  }

  /** The kind with exactly this name. */
  static Optional<WorkloadKind> of(String code) {
    return Arrays.stream(values()).filter(kind -> kind.code.equals(code)).findFirst();
  }

  /** The object that people and programs stop and start. */
  OwnerSpec topOwner(String name) {
    return new OwnerSpec(owner, name);
  }

  /** The controller of the pod. */
  OwnerSpec podOwner(String name) {
    return this == SERVICE ? OwnerSpec.ofDeployment(name, "1") : topOwner(name);
  }

  /** The traits of its pods: only a service has a port for clients. */
  PodTraits traits() {
    return this == SERVICE ? PodTraits.NONE.withEndpoint("port 8000 (http)") : PodTraits.NONE;
  }

  /** JSON pointer of the field by which it is stopped. */
  String field() {
    return owner.field();
  }

  /** Value of the field that stops it, as JSON text. */
  Optional<String> stoppedValue() {
    return stopped;
  }

  /** Value of the field with which it runs, as JSON text; empty if the field is absent then. */
  Optional<String> runningValue() {
    return running;
  }

  /** The action of this program that fits it. */
  String action() {
    return switch (this) {
      case NOTEBOOK -> "stop";
      case SERVICE -> "scale";
      case TRAINING -> "suspend";
    };
  }

  /** Priority of its pods where a trace has none, for policies that need priorities. */
  int usualPriority() {
    return switch (this) {
      case SERVICE -> 200;
      case NOTEBOOK -> 100;
      case TRAINING -> 0;
    };
  }

  /** Whether its activity passes by the clock on the wall, whether it runs or not. */
  boolean isByWallClock() {
    return this != TRAINING;
  }
}
