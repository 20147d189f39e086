package io.gpureclaimer.exporter.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.counters.CountersSource.Content.Found;
import io.gpureclaimer.exporter.counters.CountersSource.Content.Missing;
import io.gpureclaimer.exporter.counters.CountersWatch.Reload;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CountersWatchTest {
  private static final String WARMTH = "DCGM_FI_DEV_GPU_TEMP,gauge,x\n";
  private static final String POWER = "DCGM_FI_DEV_POWER_USAGE,gauge,x\n";

  private final FakeText file = new FakeText();

  @Test
  void takesUpTheFirstFile() {
    file.say(WARMTH);

    assertThat(inForce(begin())).containsExactly("DCGM_FI_DEV_GPU_TEMP");
  }

  @Test
  void refusesToBegin_whenTheFirstFileIsBad() {
    file.say("# x\nDCGM_FI_DEV_GPU_TMP,gauge,x\n");

    assertThatIllegalArgumentException()
        .isThrownBy(this::begin)
        .withMessage(
            "the file is refused: line 2, column 1: no field is called \"DCGM_FI_DEV_GPU_TMP\";"
                + " did you mean DCGM_FI_DEV_GPU_TEMP?");
  }

  @Test
  void refusesToBegin_whenThereIsNoFile() {
    file.go();

    assertThatIllegalArgumentException()
        .isThrownBy(this::begin)
        .withMessage("the file is not there");
  }

  @Test
  void takesUpAnotherFile_onceItStaysTheSame() {
    file.say(WARMTH);
    var watch = begin();
    file.say(POWER);

    assertThat(watch.refresh(false)).isEqualTo(Reload.UNCHANGED);
    assertThat(watch.refresh(false)).isEqualTo(Reload.LOADED);
    assertThat(watch.refresh(false)).isEqualTo(Reload.UNCHANGED);
    assertThat(inForce(watch)).containsExactly("DCGM_FI_DEV_POWER_USAGE");
  }

  @Test
  void waits_whileSomebodyIsWriting() {
    file.say(WARMTH);
    var watch = begin();
    for (String half : List.of("", "DCGM_", "DCGM_FI_DEV_POWER_USAGE,ga", POWER)) {
      file.say(half);
      assertThat(watch.refresh(false)).isEqualTo(Reload.UNCHANGED);
    }
    assertThat(watch.refresh(false)).isEqualTo(Reload.LOADED);
  }

  @Test
  void isNotDisturbed_whenAFileIsAwayForOneLook() {
    file.say(WARMTH);
    var watch = begin();
    file.go();
    assertThat(watch.refresh(false)).isEqualTo(Reload.UNCHANGED);
    file.say(WARMTH);

    assertThat(watch.refresh(false)).isEqualTo(Reload.UNCHANGED);
    assertThat(watch.refresh(false)).isEqualTo(Reload.UNCHANGED);
  }

  @Test
  void keepsTheLastGoodFile_whenItTurnsBad_andComplainsOnce() {
    file.say(WARMTH);
    var watch = begin();
    file.say("nonsense");
    watch.refresh(false);

    assertThat(watch.refresh(false)).isEqualTo(Reload.REJECTED);
    assertThat(watch.refresh(false)).isEqualTo(Reload.UNCHANGED);
    assertThat(inForce(watch)).containsExactly("DCGM_FI_DEV_GPU_TEMP");
  }

  @Test
  void keepsTheLastGoodFile_whenItIsRemoved_andTakesItUpAgainWhenItReturns() {
    file.say(WARMTH);
    var watch = begin();
    file.go();
    watch.refresh(false);
    assertThat(watch.refresh(false)).isEqualTo(Reload.REJECTED);
    file.say(WARMTH);
    watch.refresh(false);

    assertThat(watch.refresh(false)).isEqualTo(Reload.LOADED);
  }

  @Test
  void judgesAtOnce_whenAskedTo() {
    file.say(WARMTH);
    var watch = begin();
    file.say(POWER);

    assertThat(watch.refresh(true)).isEqualTo(Reload.LOADED);
    assertThat(watch.refresh(false)).isEqualTo(Reload.UNCHANGED);
    assertThat(watch.refresh(true)).isEqualTo(Reload.LOADED);
    file.say("nonsense");
    assertThat(watch.refresh(true)).isEqualTo(Reload.REJECTED);
  }

  @Test
  void leavesAloneWhatIsNotCheapToRead_untilAskedTo() {
    file.say(WARMTH);
    file.cheap = false;
    var watch = begin();
    file.say(POWER);
    watch.refresh(false);
    watch.refresh(false);
    assertThat(file.looks).isEqualTo(1);

    assertThat(watch.refresh(true)).isEqualTo(Reload.LOADED);
    assertThat(inForce(watch)).containsExactly("DCGM_FI_DEV_POWER_USAGE");
  }

  private CountersWatch begin() {
    return CountersWatch.begin(
        file,
        new CountersGrammar(Vocabulary.CLASSIC, Set.copyOf(DcgmField.all()), Set.of()),
        Set.of(DcgmField.DEV_GPU_UTIL),
        InstantSource.fixed(Instant.EPOCH));
  }

  private static List<String> inForce(CountersWatch watch) {
    return watch.current().get().set().counters().stream().map(Counter::name).toList();
  }

  private static final class FakeText implements CountersSource {
    private Content now = new Missing("is not there");
    private boolean cheap = true;
    private int looks;

    void say(String text) {
      now = new Found(text);
    }

    void go() {
      now = new Missing("is not there");
    }

    @Override
    public String name() {
      return "the file";
    }

    @Override
    public boolean isPolled() {
      return cheap;
    }

    @Override
    public Content read() {
      looks++;
      return now;
    }
  }
}
