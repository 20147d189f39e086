package io.gpureclaimer.simulator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The cards of a simulated node. */
public final class Profile {
  private static final Map<String, Profile> BY_NAME =
      index(
          new Profile("h100x8", Collections.nCopies(8, Model.H100)),
          new Profile("h200x8", Collections.nCopies(8, Model.H200)),
          new Profile("a100x8", Collections.nCopies(8, Model.A100)),
          new Profile("t4x4", Collections.nCopies(4, Model.T4)),
          new Profile("mixed", List.of(Model.H100, Model.H100, Model.A100, Model.T4)),
          new Profile(
              "h100x8-mig",
              Collections.nCopies(8, Model.H100),
              Collections.nCopies(8, MigLayout.of(Collections.nCopies(7, "1g.10gb")))),
          new Profile(
              "a100-mig",
              Collections.nCopies(2, Model.A100),
              List.of(
                  MigLayout.of(List.of("3g.40gb", "2g.20gb", "1g.10gb", "1g.10gb")),
                  MigLayout.of(List.of("4g.40gb", "3g.40gb")))));

  private final String name;
  private final List<Model> models;
  private final List<MigLayout> layouts;

  private Profile(String name, List<Model> models) {
    this(name, models, Collections.nCopies(models.size(), MigLayout.OFF));
  }

  private Profile(String name, List<Model> models, List<MigLayout> layouts) {
    this.name = name;
    this.models = List.copyOf(models);
    this.layouts = List.copyOf(layouts);
  }

  /** The profile of that name, if there is one. */
  public static Optional<Profile> named(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /** All names, sorted. */
  public static List<String> names() {
    return new ArrayList<>(BY_NAME.keySet());
  }

  /** How {@link #named} knows it. */
  public String name() {
    return name;
  }

  /** How many GPUs the node has. */
  public int gpus() {
    return models.size();
  }

  List<Model> models() {
    return models;
  }

  /** How the GPU with that index is divided, as long as its script does not say otherwise. */
  MigLayout layout(int gpu) {
    return layouts.get(gpu);
  }

  private static Map<String, Profile> index(Profile... profiles) {
    Map<String, Profile> byName = new TreeMap<>();
    Stream.of(profiles).forEach(profile -> byName.put(profile.name, profile));
    return Collections.unmodifiableMap(byName);
  }
}
