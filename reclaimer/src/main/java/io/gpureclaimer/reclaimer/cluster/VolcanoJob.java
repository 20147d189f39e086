package io.gpureclaimer.reclaimer.cluster;

import java.util.Map;
import java.util.Set;

/**
 * Phases of a Job of Volcano. No field of its specification stops it: Volcano aborts and resumes it
 * when a Command asks for that, and its phase says so.
 */
public final class VolcanoJob {
  /** Kind and group. */
  public static final String KIND = "Job.batch.volcano.sh";

  /** JSON pointer of the phase. */
  public static final String PHASE = "/status/state/phase";

  /** JSON text of the phase in which it has pods. */
  public static final String RUNNING = "\"Running\"";

  /** JSON text of the phase in which it has no pods until it is resumed. */
  public static final String ABORTED = "\"Aborted\"";

  /** JSON text of the phase before {@link #ABORTED}. */
  public static final String ABORTING = "\"Aborting\"";

  /** JSON text of the phase right after it is resumed. */
  public static final String RESTARTING = "\"Restarting\"";

  private static final Map<String, String> LEADS_TO =
      Map.of(ABORTING, ABORTED, RESTARTING, RUNNING, "\"Pending\"", RUNNING);

  private VolcanoJob() {}

  /** Whether an object is one. */
  public static boolean is(ObjectRef object) {
    return KIND.equals(object.kind() + "." + object.group());
  }

  /** The phase to which a passing one leads; any other is itself. */
  public static String lasting(String phase) {
    return LEADS_TO.getOrDefault(phase, phase);
  }

  /** Whether the phase or the one to which it leads is one in which a Command has an effect. */
  public static boolean obeysCommands(String phase) {
    return Set.of(RUNNING, ABORTED).contains(lasting(phase));
  }
}
