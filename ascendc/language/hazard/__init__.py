"""The parts of the hazard pass; its door is ``ascendc.language.hazards``.

``extent``: which bytes accesses touch.  ``slots``: which accesses can conflict.  ``order``: what is ordered
before what inside a block.  ``shared``: global memory within and between blocks.  ``report``: the words.
"""
