"""Runs inside of Blender: `blender --background --python blender.py -- ORDER.json...` writes ORDER.traced.png.

Pictures are linear, 16 bit, half as bright as they are. It needs only the orders from the project.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import bpy
from mathutils import Matrix, Vector

_FRONT = 0.58
"""Share of scattered light that stays on the side of a wall that it came from."""


def trace(path: Path) -> None:
    """One order."""
    order = json.loads(path.read_text())
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    _settings(scene, order)
    plastics: dict[int, Any] = {}
    for number, shell in enumerate(order["shells"]):
        dye = shell["dye"]
        if dye not in plastics:
            plastics[dye] = _plastic(f"dye {dye}", order["dyes"][dye], order["look"])
        _body(f"shell {number}", shell["points"], shell["faces"], plastics[dye])
    _table(order, path.with_suffix(".png"))
    for block in order["blocks"]:
        _block(block)
    for panel in order["panels"]:
        _panel(scene, panel, Vector(order["middle"]))
    _world(scene, order)
    _camera(scene, order)
    scene.render.filepath = str(path.with_suffix(".part.png"))
    bpy.ops.render.render(write_still=True)
    path.with_suffix(".part.png").rename(path.with_suffix(".traced.png"))


def _settings(scene: Any, order: dict[str, Any]) -> None:
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.seed = "CPU", order["look"]["samples"], order["seed"]
    cycles.use_denoising, cycles.denoiser = order["look"]["smooth"], "OPENIMAGEDENOISE"
    cycles.use_adaptive_sampling, cycles.adaptive_threshold, cycles.adaptive_min_samples = True, 0.1, 6
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 10, 2, 3
    cycles.transmission_bounces, cycles.transparent_max_bounces = 12, 24
    cycles.caustics_reflective = cycles.caustics_refractive = False
    render = scene.render
    render.threads_mode, render.threads = "FIXED", 1
    (render.resolution_x, render.resolution_y), render.resolution_percentage = order["size_px"], 100
    render.image_settings.file_format = "PNG"
    render.image_settings.color_depth, render.image_settings.color_mode = "16", "RGB"
    scene.view_settings.view_transform, scene.view_settings.exposure = "Raw", -1.0


def _nodes(name: str) -> tuple[Any, Any]:
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    return material, material.node_tree


def _flat(name: str, color: list[float], roughness: float, gloss: float) -> Any:
    material, tree = _nodes(name)
    shader = tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*color, 1)
    shader.inputs["Roughness"].default_value = roughness
    shader.inputs["Specular IOR Level"].default_value = gloss
    return material


def _plastic(name: str, dye: dict[str, Any], look: dict[str, float]) -> Any:
    """Glass that scatters a little; light for others goes straight through it, so that shadows are colored."""
    if dye["density"] is None:
        return _flat(name, dye["scatter"], 0.35, 0.5)
    material, tree = _nodes(name)
    tree.nodes.clear()
    body = look["body"]
    tint = [min(1.0, math.exp(-d / 2) / (1 - body)) for d in dye["density"]]
    own = [min(0.95, s / (2 * body) * look["brightness"]) for s in dye["scatter"]]

    def node(kind: str, color: list[float] | None = None, **inputs: float) -> Any:
        made = tree.nodes.new(kind)
        if color is not None:
            made.inputs["Color"].default_value = (*color, 1)
        for key, value in inputs.items():
            made.inputs[key].default_value = value
        return made

    def mixed(share: Any, first: Any, second: Any) -> Any:
        made = tree.nodes.new("ShaderNodeMixShader")
        if isinstance(share, float):
            made.inputs[0].default_value = share
        else:
            tree.links.new(share, made.inputs[0])
        tree.links.new(first.outputs[0], made.inputs[1])
        tree.links.new(second.outputs[0], made.inputs[2])
        return made

    glass = node("ShaderNodeBsdfGlass", tint, Roughness=look["roughness"], IOR=look["index"])
    grains = mixed(1 - _FRONT, node("ShaderNodeBsdfDiffuse", own), node("ShaderNodeBsdfTranslucent", own))
    clear = node("ShaderNodeBsdfTransparent", [t ** look["shade"] for t in tint])
    shadow = tree.nodes.new("ShaderNodeLightPath").outputs["Is Shadow Ray"]
    shown = mixed(shadow, mixed(body, glass, grains), clear)
    tree.links.new(shown.outputs[0], tree.nodes.new("ShaderNodeOutputMaterial").inputs[0])
    return material


def _body(name: str, points: list[Any], faces: list[Any], material: Any) -> Any:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    mesh.materials.append(material)
    body = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(body)
    return body


def _table(order: dict[str, Any], surface: Path) -> None:
    """The surface picture, and a floor of its mean color around it."""
    margin, (width, height), look = order["margin"], order["extent"], order["look"]
    left, far = -margin, margin
    points = [(left, far, 0), (left + width, far, 0), (left + width, far - height, 0), (left, far - height, 0)]
    material, tree = _nodes("table")
    shader = tree.nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = look["table_roughness"]
    shader.inputs["Specular IOR Level"].default_value = look["table_gloss"]
    image = bpy.data.images.load(str(surface))
    image.colorspace_settings.name = "Non-Color"
    texture = tree.nodes.new("ShaderNodeTexImage")
    texture.image, texture.interpolation = image, "Cubic"
    tree.links.new(texture.outputs[0], shader.inputs["Base Color"])
    table = _body("table", points, [(3, 2, 1, 0)], material)
    layer = table.data.uv_layers.new(name="surface")
    corners = ((0, 1), (1, 1), (1, 0), (0, 0))
    for number, loop in enumerate(table.data.loops):
        layer.data[number].uv = corners[loop.vertex_index]
    middle = 4 * (image.size[0] // 2 + image.size[0] * 3)
    around = [(-4000, 4000, -0.4), (4600, 4000, -0.4), (4600, -4400, -0.4), (-4000, -4400, -0.4)]
    _body("floor", around, [(3, 2, 1, 0)], _flat("floor", list(image.pixels[middle : middle + 3]), 0.7, 0.3))


def _block(block: dict[str, Any]) -> None:
    if block["round"]:
        x, _, z = block["size"]
        bpy.ops.mesh.primitive_cylinder_add(radius=x / 2, depth=z, location=block["middle"], vertices=48)
    else:
        bpy.ops.mesh.primitive_cube_add(size=1, location=block["middle"])
        bpy.context.object.scale, bpy.context.object.rotation_euler[2] = block["size"], block["turn"]
    bpy.context.object.data.materials.append(_flat("block", block["color"], 0.4, 0.5))


def _panel(scene: Any, panel: dict[str, Any], middle: Vector) -> None:
    light = bpy.data.lights.new("panel", "AREA")
    light.shape, light.size, light.size_y = "RECTANGLE", panel["width"], panel["height"]
    light.energy, light.color = panel["power"], panel["tint"]
    lamp = bpy.data.objects.new("panel", light)
    lamp.location = panel["center"]
    lamp.rotation_euler = (Vector(panel["center"]) - middle).to_track_quat("Z", "Y").to_euler()
    scene.collection.objects.link(lamp)


def _world(scene: Any, order: dict[str, Any]) -> None:
    scene.world = bpy.data.worlds.new("room")
    scene.world.use_nodes = True
    background = scene.world.node_tree.nodes["Background"]
    background.inputs[0].default_value = (*order["room_tint"], 1)
    background.inputs[1].default_value = order["room"]


def _camera(scene: Any, order: dict[str, Any]) -> None:
    lens = bpy.data.cameras.new("camera")
    lens.sensor_width, lens.sensor_fit = 36, "HORIZONTAL"
    lens.lens, lens.clip_start, lens.clip_end = order["focal_px"] * 36 / order["size_px"][0], 1, 20000
    camera = bpy.data.objects.new("camera", lens)
    axes = Vector(order["right"]), -Vector(order["down"]), -Vector(order["ahead"])
    camera.matrix_world = Matrix.Translation(order["eye"]) @ Matrix(axes).transposed().to_4x4()
    scene.collection.objects.link(camera)
    scene.camera = camera


if __name__ == "__main__":
    for name in sys.argv[sys.argv.index("--") + 1 :]:
        trace(Path(name))
