package io.gpureclaimer.deviceplugin.nodeconfig;

/** Tells one label of our Node. */
@FunctionalInterface
public interface NodeLabelSource {

  /** What is known now; once known it stays so while the API server is away. */
  NodeLabel now();
}
