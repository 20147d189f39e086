package io.gpureclaimer.deviceplugin.publication.kubernetes;

/** An object of the API server to which something is written. */
public interface ApiObject {

  /** What it is, for people. */
  String describe();

  /** The rule of RBAC that allows it, for people. */
  String rule();

  /** Whether it is ours to create. */
  boolean mayBeCreated();
}
