"""What lib/take-v4l2-controls brought out of the virtual machine: a camera's controls, set while it recorded and set back."""

import json
import os


def controls(folder, expect):
    def read(name):
        with open(os.path.join(folder, "controls." + name)) as text:
            return text.read()

    def values(name):
        return {line.split(": ")[0]: int(line.split(": ")[1]) for line in read(name).splitlines()}

    cameras = [json.loads(line) for line in read("json").splitlines()]
    listed = {control["name"]: control for control in next(one for one in cameras if one["kind"] == "camera")["controls"]}
    brightness, gain = listed["brightness"], listed["gain"]
    expect((brightness["number"], brightness["minimum"], brightness["maximum"], brightness["default"]) == (128, 0, 255, "128"),
           f"brightness is listed with its range: {brightness}")
    expect(gain["automatic"] is True and gain["value"] == "auto", f"the camera sees to its gain: {gain}")
    expect(all(len(line) <= 80 for line in read("table").splitlines()), "the table fits 80 columns")
    before, during, after = values("before"), values("during"), values("after")
    wanted = {"brightness": 40, "gain_automatic": 0, "gain": 50}
    expect(values("set") == before | wanted, f"--set is in force from the start: {values('set')}")
    expect(during == before | wanted | {"contrast": 30, "hue": -20}, f"'rushes control ID set' is in force: {during}")
    expect(values("back") == during, f"a camera that was away has the same again: {values('back')}")
    # The camera's own gain goes up and down.
    expect({**after, "gain": 0} == {**before, "gain": 0}, f"at the end all is as it was: {after}")
    said = read("txt")
    expect("vivid: brightness 40, gain 50." in said and "vivid: contrast 30, hue -20." in said, f"what was taken is said: {said}")
    answers = read("answers")
    expect(answers.splitlines() == [
        "vivid: contrast 30, hue -20.", "exit 0", "rushes: vivid has no control 'brightnes'; did you mean 'brightness'?", "exit 1",
        "rushes: The hue of vivid is -128 to 128, not '999'.", "exit 1"], f"each request is answered: {answers}")
