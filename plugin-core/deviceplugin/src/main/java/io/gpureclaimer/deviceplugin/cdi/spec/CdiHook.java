package io.gpureclaimer.deviceplugin.cdi.spec;

import java.util.List;

/**
 * A program that the runtime runs when the container's files are in place, before it starts.
 *
 * @param path of the program, on the host
 * @param args its arguments, its own name the first
 * @param env its environment, each {@code NAME=value}
 */
public record CdiHook(String path, List<String> args, List<String> env) {
  /** The only moment that we use. */
  static final String MOMENT = "createContainer";

  public CdiHook {
    args = List.copyOf(args);
    env = List.copyOf(env);
  }
}
