package io.gpureclaimer.exporter.cli;

import io.gpureclaimer.common.flags.FlagValue;
import io.gpureclaimer.common.flags.FlagValue.InvalidFlag;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One flag, with the environment variable that says the same.
 *
 * @param section where the help lists it
 * @param names the short ones first, the long one last
 * @param variable null when there is none
 * @param arity what may follow it
 * @param label what the help calls its value
 * @param effect what it does
 * @param help one or two lines for the help
 */
record AgentFlag(
    HelpSection section,
    List<String> names,
    @Nullable String variable,
    FlagArity arity,
    String label,
    Effect effect,
    String help) {
  AgentFlag {
    names = List.copyOf(names);
  }

  /** The name that messages use. */
  String name() {
    return names.getLast();
  }

  /** The environment variables that say the same; at most one. */
  List<String> variables() {
    return variable == null ? List.of() : List.of(variable);
  }

  /** Number of values of a flag. */
  enum FlagArity {
    /** Nothing, or {@code =true} or {@code =false}. */
    SWITCH,
    /** One value. */
    VALUE,
    /** Several values with commas between them; the flag may be given again. */
    LIST
  }

  /** A heading of the help. */
  enum HelpSection {
    SERVING("Serving"),
    DRIVER("GPUs and driver"),
    METRICS("Metrics"),
    LABELS("Labels"),
    HOLDERS("Pods and jobs"),
    DEVICE_PLUGIN("Device plugin"),
    NVIDIA_PLUGIN(
        "Flags and variables of NVIDIA's device plugin, which count with --device-plugin"),
    REST("Other"),
    OF_NO_USE("Accepted and ignored: they only make sense with DCGM, or are not supported");

    final String heading;

    HelpSection(String heading) {
      this.heading = heading;
    }
  }

  /** Effect of a flag. */
  sealed interface Effect {

    /** Sets properties, after a check that throws {@link InvalidFlag}. */
    record Sets(Function<FlagValue, Map<String, Object>> properties) implements Effect {}

    /** Takes effect before there are properties. */
    record Early() implements Effect {}

    /**
     * No effect; one warning reports it.
     *
     * @param harmless values that ask for nothing and need no warning
     */
    record Ignored(Set<String> harmless) implements Effect {
      public Ignored {
        harmless = Set.copyOf(harmless);
      }
    }
  }
}
