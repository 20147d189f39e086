package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.deviceplugin.config.ConfigFile;
import io.gpureclaimer.deviceplugin.config.MergedSettings;
import io.gpureclaimer.deviceplugin.config.PluginSettings;
import io.gpureclaimer.deviceplugin.config.PluginSettings.DriverSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The settings in force: flags, environment and file together. What cannot be honored changes
 * nothing, and is reported. Confined to the thread that checks.
 */
public final class Configuration {
  private static final Logger log = LoggerFactory.getLogger(Configuration.class);

  /**
   * An API server is asked on another thread, and needs a while to answer: nothing is wrong then.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Map<String, String> options;
  private final Map<String, String> environment;
  private final SettingsSource source;
  private final PluginSettings fixed;
  private @Nullable PluginSettings settings;
  private String name = "nothing was read yet";
  private @Nullable String why;
  private @Nullable Instant since;

  /** What is wrong with the newest text; empty if it is in force. */
  private List<String> refused = List.of();

  /** The same, and why the source has no text. */
  private List<String> problems = List.of();

  /** Those that the log has. */
  private List<String> reported = List.of();

  /** Until then, a source that has reported nothing yet is not mentioned. */
  private final Instant patient;

  /** What stops the start is not said twice. */
  private boolean begun;

  private Configuration(
      Map<String, String> options,
      Map<String, String> environment,
      SettingsSource source,
      PluginSettings fixed,
      Instant begun) {
    this.patient = begun.plus(PATIENCE);
    this.options = Map.copyOf(options);
    this.environment = Map.copyOf(environment);
    this.source = source;
    this.fixed = fixed;
  }

  /**
   * Reads for the first time.
   *
   * @param options flags by their names, without dashes
   * @param environment everybody's variables
   * @param source where the file comes from
   * @param strict whether a file that cannot be honored stops the start; otherwise a better one is
   *     waited for
   * @throws IllegalArgumentException with all that is wrong
   */
  public static Configuration begin(
      Map<String, String> options,
      Map<String, String> environment,
      SettingsSource source,
      boolean strict,
      Instant now) {
    PluginSettings fixed =
        switch (MergedSettings.of(options, environment, ConfigFile.NONE)) {
          case MergedSettings.Merged(var settings, _) -> settings;
          case MergedSettings.Refused(var problems) -> throw refusal(problems);
        };
    var configuration = new Configuration(options, environment, source, fixed, now);
    configuration.refresh(now);
    if (strict && configuration.settings == null) {
      throw refusal(configuration.problems);
    }
    configuration.begun = true;
    return configuration;
  }

  private static IllegalArgumentException refusal(List<String> problems) {
    return new IllegalArgumentException(String.join("; ", problems));
  }

  /** Where the kubelet listens, which no file can change. */
  public Path kubeletSocket() {
    return fixed.kubeletSocket();
  }

  /** Where the driver is, as far as it is known at the start. */
  public DriverSettings driver() {
    return (settings == null ? fixed : settings).driver();
  }

  /**
   * Where Node Feature Discovery looks, as far as it is known at the start.
   *
   * @throws IllegalArgumentException if it is the standard output
   */
  public Path featureFile() {
    Path file = (settings == null ? fixed : settings).labels().outputFile();
    if (file == null) {
      throw new IllegalArgumentException(
          "--output-file must be a path, since --node-labels=nfd-file writes labels to a file and"
              + " never to the standard output, was \"\"");
    }
    return file;
  }

  /**
   * What is in force.
   *
   * @param name of the configuration
   * @param why this one, where there was a choice; null if there was none
   * @param since when it came into force; null if none ever did
   * @param problems why the newest is not in force; empty if it is
   */
  public record ActiveConfiguration(
      String name, @Nullable String why, @Nullable Instant since, List<String> problems) {
    public ActiveConfiguration {
      problems = List.copyOf(problems);
    }
  }

  /** Looks again; true if other settings are in force than before. */
  boolean refresh(Instant now) {
    ActiveConfiguration before = active();
    boolean changed = source.read(now).map(text -> take(text, now)).orElse(false);
    var unseen = source.problem();
    problems = unseen.map(List::of).orElse(refused);
    if (problems.isEmpty()) {
      why = source.why().orElse(null);
    }
    announce(before);
    boolean awaited = unseen.isPresent() && settings == null && now.isBefore(patient);
    if (begun && !awaited) {
      complain(unseen.isEmpty());
    }
    return changed;
  }

  /** The settings; empty if there never were any that could be honored. */
  Optional<PluginSettings> settings() {
    return Optional.ofNullable(settings);
  }

  ActiveConfiguration active() {
    return new ActiveConfiguration(name, why, since, problems);
  }

  private boolean take(SettingsSource.Text text, Instant now) {
    var file =
        text.content().isBlank() ? ConfigFile.NONE : ConfigFile.parse(text.name(), text.content());
    return switch (MergedSettings.of(options, environment, file)) {
      case MergedSettings.Refused(var wrong) -> {
        refused = wrong;
        yield false;
      }
      case MergedSettings.Merged(var merged, var notes) -> {
        refused = List.of();
        notes.forEach(note -> log.warn("device plugin: {}", note));
        yield takeOver(text.name(), merged, now);
      }
    };
  }

  private boolean takeOver(String from, PluginSettings merged, Instant now) {
    if (merged.equals(settings) && from.equals(name)) {
      return false;
    }
    boolean changed = !merged.equals(settings);
    settings = merged;
    name = from;
    since = now;
    return changed;
  }

  /** Once for each change, be it of the reason alone. */
  private void announce(ActiveConfiguration before) {
    if (since != null && (!since.equals(before.since()) || !Objects.equals(why, before.why()))) {
      log.info("device plugin: configuration in use: {}{}", name, why == null ? "" : ": " + why);
    }
  }

  /**
   * Each once, as long as it lasts.
   *
   * @param refusal whether a user has to fix a text; otherwise it may just be late
   */
  private void complain(boolean refusal) {
    if (!problems.equals(reported)) {
      String kept = settings == null ? "nothing is offered" : "the previous settings stay in use";
      problems.forEach(
          problem ->
              log.atLevel(refusal ? Level.ERROR : Level.WARN)
                  .log("device plugin: {} ({})", problem, kept));
    }
    reported = problems;
  }
}
