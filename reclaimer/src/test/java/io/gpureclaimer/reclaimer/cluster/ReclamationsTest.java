package io.gpureclaimer.reclaimer.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamation.RestoreRequest;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Timeline;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Unreadable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReclamationsTest {
  private static final int OBJECTS = 30;
  private static final Instant AT = Instant.parse("2026-11-28T12:00:00Z");
  private final Random random = new Random(1);

  @Test
  void areTheSameAfterAChange_asThoseOfANewList() {
    List<Reclamation> records = new ArrayList<>();
    var known = new Reclamations(List.of());
    for (int i = 0; i < 2_000; i++) {
      Optional<Reclamation> before = Optional.empty();
      Optional<Reclamation> after = Optional.empty();
      if (records.isEmpty() || random.nextInt(3) == 0) {
        after = Optional.of(record("r" + i));
        records.add(after.get());
      } else {
        int index = random.nextInt(records.size());
        if (random.nextInt(3) == 0) {
          before = Optional.of(records.remove(index));
        } else {
          after = Optional.of(record(records.get(index).name()));
          before = Optional.of(records.set(index, after.get()));
        }
      }
      known = known.after(records, before, after);

      var expected = new Reclamations(records);
      assertThat(known).isEqualTo(expected);
      assertThat(known.unreadable()).isEqualTo(expected.unreadable());
      for (int object = 0; object < OBJECTS; object++) {
        Set<String> uids = Set.of("uid-" + object, "uid-" + (object + 1));
        assertThat(known.of(uids)).containsExactlyInAnyOrderElementsOf(expected.of(uids));
      }
    }
  }

  private Reclamation record(String name) {
    return random.nextInt(20) == 0
        ? new Reclamation(
            "ml",
            name,
            name,
            "1",
            RestoreRequest.NONE,
            Optional.empty(),
            Optional.of(new Unreadable(Set.of("uid-1"), "no number")))
        : new Reclamation("ml", name, name, "1", RestoreRequest.NONE, Optional.of(progress()));
  }

  /** Half of the actions change another object than the owner, too. */
  private ReclamationProgress progress() {
    ObjectRef owner = object(random.nextInt(OBJECTS));
    ObjectRef changed = random.nextBoolean() ? owner : object(random.nextInt(OBJECTS));
    return new ReclamationProgress(
        ReclamationState.RECLAIMED,
        "scale",
        "id",
        "",
        owner,
        "1",
        List.of(),
        1,
        Optional.empty(),
        "",
        List.of(
            new FieldChange(
                changed, FieldChange.SCALE, "/spec/replicas", Optional.of("2"), Optional.of("0"))),
        Timeline.recorded(AT, AT, AT));
  }

  private static ObjectRef object(int number) {
    return new ObjectRef("apps/v1", "Deployment", "ml", "d" + number, "uid-" + number);
  }
}
